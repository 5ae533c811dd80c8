// Week3 is the hand-out's script: write your functions in functions.go, and it tests
// them and draws what they learn as a figure of four class maps.
//
//	go run ./scripts/week3 -s 0 -n 178 -r 100 week_3.pdf
//
// The options are those of the hand-out, and -h lists them. A function that is not
// written yet is drawn as an empty panel. Exit status: 0 all drawn, 1 something failed,
// 2 bad usage.
package main

import "github.com/mllabs-go/mllabs/notebooks/lab3/week3"

func main() {
	week3.Main(week3.Lab{
		NearestNeighboursPredict: NearestNeighboursPredict,
		Misclassification:        Misclassification,
		DecisionTreeTrain:        DecisionTreeTrain,
		DecisionTreePredict:      DecisionTreePredict,
		RandomForestTrain:        RandomForestTrain,
		RandomForestPredict:      RandomForestPredict,
		AdaBoostTrain:            AdaBoostTrain,
		AdaBoostPredict:          AdaBoostPredict,
	})
}
