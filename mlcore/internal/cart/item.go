package cart

// An item is a row on its way through the tree: the place of its codes in the
// high half, then 24 bits for its copies and 8 for its class.
type item uint64

func newItem(place int, copies, class int32) item {
	return item(place)<<32 | item(copies)<<8 | item(class)
}

func (it item) place() int    { return int(it >> 32) }
func (it item) copies() int32 { return int32(uint32(it) >> 8) }
func (it item) class() uint8  { return uint8(it) }
