// Package bayes classifies by Bayes' rule: training rows flow in and are counted; a
// query flows in, and its most probable class flows out. Naive Bayes assumes that the
// features are independent within a class; discriminant analysis, which has the same
// priors and the same rule, models how they vary together.
//
// With prior P(c) and likelihoods P(x_j | c), the naive models compare
//
//	log P(c) + sum over columns j of log P(x_j | c)
//
// the joint log-likelihood, and turn it into probabilities by subtracting the
// logarithm of its sum over classes (log-sum-exp), so that many small factors do
// not underflow. They differ in P(x_j | c):
//
//   - [CategoricalConfig]: a table of shares for each column of level codes;
//   - [BernoulliConfig]: the same for columns cut into "above a threshold" or not;
//   - [MultinomialConfig]: columns are counts of events, such as words;
//   - [GaussianConfig]: columns are numbers, normal within a class.
//
// Discriminant analysis replaces the sum by the logarithm of a normal density of all
// columns together:
//
//   - [LinearDiscriminantConfig]: with one covariance matrix for all classes;
//   - [QuadraticDiscriminantConfig]: with one for each.
//
// The rules that make answers unique:
//
//   - Of classes that are equally probable the lowest code wins.
//   - A class without training rows, or whose rows all have weight 0, has
//     probability 0 whatever its prior.
//   - A query that is impossible in every class is judged by the prior alone.
//     This happens only with [Lidstone](0), or with numbers so far out that
//     their densities underflow even as logarithms.
//
// Fitting naive Bayes counts the rows once and a prediction adds up table rows: both
// take time proportional to the size of X (times K in a prediction). The formulas are
// those of Manning, Raghavan & Schütze, 2008, "Introduction to Information
// Retrieval", chapter 13, and of scikit-learn's sklearn.naive_bayes, against
// which the models are tested.
package bayes
