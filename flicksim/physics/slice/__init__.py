"""The world cut upright: a launch and its landing in the vertical plane it flies in.

What a slice is not: a pyramid in it turns about one axis only. It does not drift sideways, spin or roll round its own
axis, and it lands square on, edge and face, never on a corner. So it comes to rest sooner, stands upright more often
and strays less than one in space. Pieces that the plane meets stand in it with the outline they show it.
"""
