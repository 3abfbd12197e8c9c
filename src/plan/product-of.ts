/** The product of numbers, such as the elements of a shape. 1 if there are none. */
export function productOf(numbers: readonly number[]): number {
  return numbers.reduce((product, number) => product * number, 1)
}
