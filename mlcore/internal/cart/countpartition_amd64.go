//go:build !purego

package cart

// moveGroups is moveMarkedPlain for n rows, which are some, and markGroup of them at a
// time. What follows the rows and the marks has the length of a group; all marks that
// follow are set. Rows that go right wait in spare, from its end on.
//
//go:noescape
func moveGroups(rows *item, n int, marks *uint8, bit int, spareEnd *item, orders *[1 << markGroup][2 * markGroup]uint32) int

// groupOrders are the orders that put the rows of a group that go left before the
// others, by the bits of those: of each place the halves of the item that is to be there.
var groupOrders = func() (orders [1 << markGroup][2 * markGroup]uint32) {
	for bits := range orders {
		k := 0
		for _, goes := range []int{1, 0} {
			for p := range markGroup {
				if bits>>p&1 == goes {
					orders[bits][k], orders[bits][k+1] = uint32(2*p), uint32(2*p+1)
					k += 2
				}
			}
		}
	}
	return orders
}()

// moveMarked moves the rows whose marks have the bit to the front and returns how many
// they are. Behind rows there is room for a group, which is written and put back, so that
// no other goroutine may use it; spare has a place for each row and one group more.
func moveMarked(rows []item, marks []uint8, bit int, spare []item) int {
	if !useVectors {
		return moveMarkedPlain(rows, marks, bit)
	}
	return moveGroups(&rows[0], len(rows), &marks[0], bit, &spare[:len(rows)+markGroup+1][len(rows)+markGroup], &groupOrders)
}
