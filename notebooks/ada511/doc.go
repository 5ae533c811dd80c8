// Package ada511 holds what the notebooks of this folder share: the settings that
// they choose for Adult Income by cross-validation, and what scikit-learn,
// LightGBM and XGBoost reach on it under the same protocol ([Peers]).
package ada511
