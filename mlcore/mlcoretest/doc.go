// Package mlcoretest is one battery of tests that every estimator passes: a way
// to fit one flows in, failures of a *testing.T flow out. It holds an estimator to
// the contracts of package mlcore and to identities that no oracle is needed for,
// such as that a row of weight 2 counts as two rows. An estimator's own package
// tests what it computes.
//
//	func TestConformance(t *testing.T) {
//		mlcoretest.Classifier(t, mlcoretest.ClassifierSpec{
//			Learn: func(workers int) mlcore.ClassifierLearner {
//				return mlcore.LearnClassifier(Config{Workers: workers}.FitClassifier)
//			},
//			Decode: func(data []byte) (mlcore.Classifier, error) {
//				m := new(Model)
//				return m, m.UnmarshalBinary(data)
//			},
//		})
//	}
package mlcoretest
