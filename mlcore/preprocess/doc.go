// Package preprocess prepares data for learning: a training [mlcore.Dataset] flows
// into a configuration's Fit, what it learns there (means, cuts, known levels) flows
// out as a fitted [Transformer], and every data set that flows through the
// Transformer is changed in the same way, whatever else it holds.
//
//   - [ImputerConfig] fills in missing values (NaN) by mean, median or mode,
//     [KNNImputerConfig] by those of similar rows.
//   - [StandardScalerConfig] and [MinMaxScalerConfig] bring numbers to one scale.
//   - [DiscretizerConfig] turns numbers into categories: of equal width, of
//     equal numbers of rows, or where the classes change (MDL).
//   - [OneHotConfig] and [OrdinalConfig] turn categories into numbers, and
//     [TargetEncoderConfig] into means of the target.
//   - [SelectConfig] keeps the columns that have most to do with the target, each by
//     itself; [RFEConfig] and [RFECVConfig] leave out those that a learner does without.
//   - [PCAConfig] turns numbers into fewer, uncorrelated ones.
//   - [PolynomialConfig] makes products of numbers, so that a linear model can fit
//     curves.
//   - [UpSampleConfig] and [DownSampleConfig] repeat or leave out training rows
//     until all classes have the same number of rows; they do not change rows
//     that are predicted.
//
// A [PipelineConfig] chains such steps with a learner into one learner. It fits the
// steps to the rows that it is given to learn from and to nothing else; handed as
// a whole to cross-validation, it cannot let test rows leak into training:
//
//	pipeline := preprocess.PipelineConfig{
//		Steps:   []preprocess.Step{preprocess.ImputerConfig{}, preprocess.StandardScalerConfig{}},
//		Learner: mlcore.LearnClassifier(neighbors.Config{}.FitClassifier),
//	}
//	r, err := modelsel.CrossValidate(pipeline.FitClassifier, ds, modelsel.Options{})
//
// A step changes the columns it is for, by default all numeric or all categorical
// ones, and hands on the others. Each step says what it does with missing values.
// Steps do not use sample weights, which go to the learner.
package preprocess
