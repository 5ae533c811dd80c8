// Package sigtest says how far a measured error can be trusted: error rates,
// per-example outcomes and scores of models flow in; confidence intervals,
// p-values and rankings flow out.
//
// # How sure is one error rate?
//
// An error rate is k mistakes in n examples, e = k/n, and z is the normal
// quantile of (1+level)/2:
//
//   - [NormalInterval]: e ± z sqrt(e(1-e)/n) (Mitchell, 1997, "Machine Learning",
//     section 5.2.2). For n of 30 and more, and e not near 0 or 1.
//   - [WilsonInterval]: (e + z²/2n ± z sqrt(e(1-e)/n + z²/4n²)) / (1 + z²/n)
//     (Wilson, 1927, JASA 22). Good at any n.
//   - [ExactInterval]: the beta quantiles of Clopper & Pearson, 1934, Biometrika
//     26. It never covers less than its level, and often more.
//   - [BootstrapConfig]: percentile, basic and BCa intervals for the mean of any
//     per-example outcomes and, by [BootstrapScore], for any score of predictions
//     (Efron & Tibshirani, 1993, "An Introduction to the Bootstrap", chapters 13 and
//     14).
//
// # Do two models differ?
//
//   - On one test set, example by example: [PermutationConfig], the randomisation
//     test that switches the two models' outcomes at random (Fisher, 1935;
//     p = (b+1)/(m+1) from m random switches, Phipson & Smyth, 2010); [McNemar]
//     and [McNemarExact] (McNemar, 1947; Dietterich, 1998, Neural Computation 10);
//     [BootstrapDifference], an interval for the difference of any score.
//   - On the folds of a cross-validation: [PairedT]; [CorrectedResampledT], which
//     allows for training sets that overlap (Nadeau & Bengio, 2003, Machine
//     Learning 52); [FiveByTwoT] (Dietterich, 1998) and [FiveByTwoF] (Alpaydin,
//     1999, Neural Computation 11) for five times 2-fold.
//   - On independent samples: [TwoSampleT] (pooled variance), [WelchT].
//   - On many data sets: [WilcoxonConfig], [SignTest].
//
// # How large is the difference, and does it matter?
//
//   - On one test set: NewcombeInterval, for the difference of two models' error rates
//     (method 10 of Newcombe, 1998, Statistics in Medicine 17), and DiscordantOddsRatio,
//     how many times more often one of them is alone in its mistake, with the interval
//     that belongs to McNemarExact.
//   - On the folds of a cross-validation: BayesianCorrelatedT, the posterior of the mean
//     difference, with the probability that it lies in a region of practical equivalence,
//     the ROPE (Benavoli, Corani, Demšar & Zaffalon, 2017, JMLR 18).
//   - PairedTOST and CorrectedResampledTOST test whether two models are equivalent, that
//     is, whether the difference lies between bounds that do not matter (Schuirmann, 1987).
//     That a test finds no difference does not say so.
//   - PairedCohenD, the mean of paired differences in units of their spread.
//
// # Do many models differ on many data sets?
//
// [FriedmanConfig] ranks the models on each data set and gives Friedman's
// chi-squared, Iman and Davenport's F and the average ranks; its result leads on
// to Nemenyi's critical difference and to comparisons with a control (Demšar,
// 2006, JMLR 7). The studentised range that Nemenyi's test needs is integrated
// numerically, so models need not be few: see [StudentizedRangeQuantile].
//
// # Many p-values
//
// [Bonferroni] and [Holm] bound the chance of any false alarm,
// [BenjaminiHochberg] the expected share of false alarms.
//
// # Conventions
//
// Differences are first minus second; [Greater] asks whether the first is
// larger, which for losses means that the first model is worse. NaN and
// infinities in the input are refused. Where all differences are exactly zero
// the data say nothing against equality and the p-value is 1. Where they differ
// but have no spread a t statistic does not exist and the error wraps
// [ErrDegenerate]; no NaN is returned. Spread no larger than the rounding of the
// scores is none, and so is that of numbers so small that their squares underflow.
package sigtest
