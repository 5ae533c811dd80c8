package datasets

// The Car Evaluation set is the complete product of six attributes, judged by
// a hierarchical decision model of the DEX method (Bohanec and Rajkovic 1988):
// a price and a technical quality, the latter from comfort and safety, together
// give the class. The tables below hold the model with the attributes' values
// in the order of the file.

var carValues = [6][]string{
	{"vhigh", "high", "med", "low"}, // buying
	{"vhigh", "high", "med", "low"}, // maint
	{"2", "3", "4", "5more"},        // doors
	{"2", "4", "more"},              // persons
	{"small", "med", "big"},         // lug_boot
	{"low", "med", "high"},          // safety
}

// carPrice is by buying and maint, 0 worst to 3 best.
var carPrice = [4][4]int{
	{0, 0, 1, 1},
	{0, 1, 1, 1},
	{1, 1, 2, 3},
	{1, 2, 3, 3},
}

// carComfort is by doors, persons and lug_boot, 0 worst to 2 best.
var carComfort = [4][3][3]int{
	{{0, 0, 0}, {1, 1, 2}, {0, 1, 2}},
	{{0, 0, 0}, {1, 1, 2}, {1, 2, 2}},
	{{0, 0, 0}, {1, 2, 2}, {1, 2, 2}},
	{{0, 0, 0}, {1, 2, 2}, {1, 2, 2}},
}

// carTech is by comfort and safety, 0 worst to 3 best.
var carTech = [3][3]int{
	{0, 0, 0},
	{0, 1, 2},
	{0, 2, 3},
}

// carClass is by technical quality and price.
var carClass = [4][4]string{
	{"unacc", "unacc", "unacc", "unacc"},
	{"unacc", "unacc", "acc", "acc"},
	{"unacc", "acc", "acc", "good"},
	{"unacc", "acc", "vgood", "vgood"},
}

// carData returns car.data, byte for byte: all combinations with the last
// attribute varying fastest.
func carData() []byte {
	var data []byte
	var at [6]int
	for {
		for j, v := range at {
			data = append(data, carValues[j][v]...)
			data = append(data, ',')
		}
		tech := carTech[carComfort[at[2]][at[3]][at[4]]][at[5]]
		data = append(data, carClass[tech][carPrice[at[0]][at[1]]]...)
		data = append(data, '\n')
		j := len(at) - 1
		for ; j >= 0; j-- {
			if at[j]++; at[j] < len(carValues[j]) {
				break
			}
			at[j] = 0
		}
		if j < 0 {
			return data
		}
	}
}
