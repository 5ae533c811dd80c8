// Package mlcoretest is one battery of tests that every classifier, regressor and learner
// without labels passes: a configuration flows in, failures of a *testing.T flow out. It
// holds an estimator to the contracts of package mlcore and to identities that no oracle
// is needed for, such as that a row of weight 2 counts as two rows. An estimator's own
// package tests what it computes.
//
//	func TestConformance(t *testing.T) {
//		mlcoretest.Classifier(t, mlcoretest.Traits{}, func(workers int) Config {
//			return Config{Workers: workers}
//		})
//	}
//
// Models have to be known to package modelfile, by its Register function if they are
// of another module.
package mlcoretest
