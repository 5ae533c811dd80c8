package neural

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
)

// What a [Config] uses where a field is 0 or nil.
const (
	DefaultHidden    = 100
	DefaultEpochs    = 200
	DefaultBatchSize = 200
)

// ErrDiverged is wrapped by the error of a training whose loss became infinite, NaN
// or a million times what it was. A lower learning rate or scaled features help.
// Such errors wrap [mlcore.ErrNonFinite] too.
var ErrDiverged = fmt.Errorf("training diverged: %w", mlcore.ErrNonFinite)

// A Config says what network to make and how to train it. The zero value is one
// hidden layer of 100 ReLU units, trained by Adam for 200 epochs in batches of
// 200 rows.
//
// Features should have about the same scale, such as a standard deviation of 1;
// see preprocess.StandardScalerConfig.
type Config struct {
	// Hidden is the number of units of each hidden layer. Nil means one layer of
	// [DefaultHidden]; []int{} means none, which leaves a linear model.
	Hidden []int
	// Activation is that of the hidden layers; the zero value is [ReLU].
	Activation Activation
	// Init says how weights start.
	Init Init
	// Dropout is the chance that the output of a hidden unit is dropped; see
	// [Dense].
	Dropout float64
	// L1 and L2 are the strengths of the penalties L1 Σ|W| + ½ L2 Σ W², added to
	// the mean loss.
	L1, L2 float64

	// Optimizer makes the steps; nil means [Adam].
	Optimizer Optimizer
	// LearningRate is η; 0 means the optimizer's DefaultRate.
	LearningRate float64
	// Schedule changes the learning rate from epoch to epoch; nil means
	// [Constant].
	Schedule Schedule
	// BatchSize is the number of rows of a step; 0 means [DefaultBatchSize], or all
	// if there are fewer. With [GradientDescent] a step always takes all rows, and
	// BatchSize is an error.
	BatchSize int
	// Epochs is the greatest number of passes through the training rows; 0
	// means [DefaultEpochs].
	Epochs int
	// NoShuffle goes through the rows in their order instead of shuffling them
	// before every epoch.
	NoShuffle bool

	// ValidationFraction is the share of rows, from 0 to below 1, that are not
	// trained on but used to watch overfitting. They are drawn at random, for
	// classification the same share of each class.
	ValidationFraction float64
	// Validation holds rows to watch in place of drawn ones. Its columns and
	// classes are found by their names, see [mlcore.Dataset.Align].
	Validation *mlcore.Dataset
	// Patience, where positive, stops training when the loss has not fallen in
	// that many epochs, and with validation rows gives back the parameters of
	// the best epoch. The loss is that of the validation rows if there are any,
	// else of the training rows.
	Patience int
	// Tol is how far the loss must fall below that of the last epoch that counted as
	// progress to count itself, for Patience. The best epoch is that of the lowest loss
	// whatever Tol is.
	Tol float64

	// ClassWeight says how much the training rows of each class count.
	ClassWeight mlcore.ClassWeight
	// Progress, where not nil, is called after every epoch, with its losses.
	Progress func(mlcore.Progress) error
	// Seed is where all random numbers come from.
	Seed uint64
	// Workers is the number of goroutines; 0 means one per processor. It never
	// changes the result.
	Workers int
}

// withDefaults fills in what is left open, but not the batch size, which depends
// on the rows.
func (c Config) withDefaults() Config {
	if c.Hidden == nil {
		c.Hidden = []int{DefaultHidden}
	}
	if c.Optimizer == nil {
		c.Optimizer = Adam{}
	}
	if c.LearningRate == 0 {
		c.LearningRate = c.Optimizer.DefaultRate()
	}
	if c.Schedule == nil {
		c.Schedule = Constant{}
	}
	if c.Epochs == 0 {
		c.Epochs = DefaultEpochs
	}
	return c
}

// check refuses settings that no data could make right; layers are left to
// NewNetwork.
func (c Config) check() error {
	positive := func(v float64) bool { return v >= 0 && v-v == 0 }
	switch {
	case !positive(c.L1):
		return configError("L1 is %v; it is finite and not negative", c.L1)
	case !positive(c.L2):
		return configError("L2 is %v; it is finite and not negative", c.L2)
	case !positive(c.LearningRate) || c.LearningRate == 0:
		return configError("LearningRate is %v; it is positive and finite", c.LearningRate)
	case c.BatchSize < 0:
		return configError("BatchSize is %d; it is at least 1", c.BatchSize)
	case c.Epochs < 0:
		return configError("Epochs is %d; it is at least 1", c.Epochs)
	case !(c.ValidationFraction >= 0 && c.ValidationFraction < 1):
		return configError("ValidationFraction is %v; it is at least 0 and below 1", c.ValidationFraction)
	case c.ValidationFraction > 0 && c.Validation != nil:
		return configError("both ValidationFraction and Validation are given; choose one")
	case c.Patience < 0:
		return configError("Patience is %d; it is a number of epochs, or 0 for none", c.Patience)
	case !positive(c.Tol):
		return configError("Tol is %v; it is finite and not negative", c.Tol)
	case c.Tol > 0 && c.Patience == 0:
		return configError("Tol is %v, but without Patience nothing is compared with it", c.Tol)
	case c.BatchSize != 0 && allRows(c.Optimizer):
		return configError("BatchSize is %d, but GradientDescent takes all rows at once; choose another Optimizer, such as SGD", c.BatchSize)
	}
	for _, part := range []any{c.Optimizer, c.Schedule} {
		if p, ok := part.(interface{ check() error }); ok {
			if err := p.check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// network makes the untrained network. Dropout, Init and Activation are those of
// every hidden layer.
func (c Config) network(inputs, outputs int, output Activation, loss Loss) (*Network, error) {
	var layers []Dense
	for _, units := range c.Hidden {
		layers = append(layers, Dense{Units: units, Activation: c.Activation, Init: c.Init, Dropout: c.Dropout})
	}
	// The output layer starts as the hidden ones do where that is asked for.
	layers = append(layers, Dense{Units: outputs, Activation: output, Init: c.Init})
	n, err := NewNetwork(inputs, layers, loss, c.Seed)
	if err != nil {
		return nil, err
	}
	n.L1, n.L2 = c.L1, c.L2
	return n, nil
}
