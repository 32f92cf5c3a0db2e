// Package plot draws pictures as SVG: rows of marks, and panels of curves, both on logarithmic scales. They are 400
// units wide, so that they can be read on a phone, and turn dark with the system of whoever looks at them. It knows
// nothing of stores.
package plot
