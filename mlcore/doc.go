// Package mlcore holds the contracts of the mllabs machine-learning library: what
// data look like ([Dataset], [Column]), what a fitted model can be asked
// ([Classifier], [ProbClassifier], [Regressor]), what fits one ([ClassifierLearner],
// [RegressorLearner]), how a fit went ([Status]), which errors come back ([ErrShape]
// and its neighbours) and where random numbers come from ([NewRand]).
//
// The algorithms live in the packages below this one: tree, id3, ensemble, neighbors,
// bayes, linear, isotonic, svm and neural; calibration makes the scores of any of them
// probabilities; cluster has those that need no labels, and evolve a genetic algorithm.
// They share these conventions.
//
// Configuration and model. A configuration is a plain struct whose zero value is
// usable and whose defaults are documented on its fields. It fits a Dataset and
// returns a model of a type of its own:
//
//	model, err := tree.Config{MaxDepth: 4}.FitClassifier(ds)
//	names, err := mlcore.PredictNames(model, ds)
//
// A model that no such method made, such as a zero value, answers [ErrNotFitted].
// Fitted models are immutable and safe for concurrent use.
//
// Settings. A setting of 0 means the documented default or 0, never both.
// A setting that another one overrides, or that the fit at hand has no use for,
// is an error. One concept has one name in all configurations, scikit-learn's where it
// has one, without n_ and in Go's spelling:
//
//	concept                               here                  scikit-learn
//	tolerance at which a solver stops     Tol                   tol
//	most iterations of a solver           MaxIter               max_iter
//	passes over the training rows         Epochs                max_iter
//	replacements of a population          Generations           -
//	members, trees or rounds              Estimators            n_estimators, max_iter
//	share of the rows for each of them    Subsample             subsample, max_samples
//	features for each of them             FeaturesPerEstimator  max_features of bagging
//	features for each split               MaxFeatures           max_features
//	how trees are grown                   Tree                  estimator
//	what fits a member or a last step     Learner               estimator
//	votes or mean probabilities           Voting                voting
//	how splits are judged                 Criterion             criterion
//	least number of rows in a leaf        MinSamplesLeaf        min_samples_leaf
//	most leaves of a tree                 MaxLeafNodes          max_leaf_nodes
//	step of boosting and of networks      LearningRate          learning_rate
//	epochs or rounds without progress     Patience              n_iter_no_change
//	share of the rows to stop by          ValidationFraction    validation_fraction
//	weights of classes                    ClassWeight           class_weight
//	a column's unknown categories         Unknown               handle_unknown
//	strength of a penalty                 Alpha, L1, L2         alpha
//	its inverse                           C                     C
//	no intercept                          NoIntercept           fit_intercept=False
//	value of the constant feature         InterceptScaling      intercept_scaling
//	added to variances                    RegCovar              reg_covar
//	number of neighbours                  Neighbors             n_neighbors
//	number of clusters                    Clusters              n_clusters
//	starts, of which the best is kept     Starts                n_init
//	rows drawn, or kept in their order    Shuffle, NoShuffle    shuffle (same defaults)
//	folds of a partition                  Folds                 n_splits, cv
//	splits that are drawn                 Splits                n_splits
//	repeats of a splitter or a measure    Repeats               n_repeats
//	shares of rows to test, to train on   TestSize, TrainSize   test_size, train_size
//	how bins or fillings are found        Strategy              strategy
//	columns to keep                       FeaturesToSelect      n_features_to_select
//	start of random draws                 Seed                  random_state
//	goroutines at a time                  Workers               n_jobs
//	told how work goes on                 Progress              verbose
//
// Workers. The field bounds the goroutines of the work itself. The check that a large
// matrix holds finite numbers, one pass over it before the work begins, runs on all
// processors.
//
// Progress. Long work tells a function how it goes on, and the function can end it; see
// [Progress].
//
// Data. A Dataset carries the names of its columns, the levels of categorical ones,
// the names of the classes and the sample weights, and the model keeps them as its
// [Schema]. A learner that needs numbers refuses a categorical column and names it.
// [Predict], [PredictProba] and [PredictNames] bring other data into the form that the
// model was fitted to: columns are found by name, codes follow the names of levels.
//
// Matrices. [FromMatrix] makes a Dataset of an n×d *mat.Dense whose rows are samples,
// of class codes 0..K-1 or real targets, and of a non-negative weight for each sample,
// or nil; it copies nothing. A model's own Predict method takes any
// [gonum.org/v1/gonum/mat.Matrix], *mat.Dense being the fast path; [Classifier] says
// what it leaves undone that the function [Predict] does. [OnMatrix] makes a function
// on Datasets of a function on matrices.
//
// Files. Package modelfile saves and loads every model, whatever it is made of;
// predictions are bit-equal afterwards. Package onnx writes models for other programs.
//
// Errors. Bad data and bad settings come back as errors that wrap a sentinel of this
// package and name the row and the column, or the setting, and what to do. Only a call
// that no data could make right panics, such as an index out of range.
//
// Determinism. One seed gives the same bytes whatever the number of workers, and the
// same parameters, predictions and probabilities, to the last bit, on every processor.
// P-values and the ends of confidence intervals may differ in their last bits, and so
// may the results of a function that the caller supplies.
//
// Data flow one way: package datasets has published data as gota frames, package frame makes
// Datasets of frames and of CSV files, package preprocess may transform these, a configuration fits a model,
// and packages metrics, modelsel, sigtest, conformal, inspection and plotx evaluate, bound,
// explain and draw its predictions.
package mlcore
