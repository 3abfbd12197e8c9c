/** The polynomial of CRC-32 (ISO 3309, as in ZIP), reflected: the highest bit is the coefficient of x^0. */
const POLYNOMIAL = 0xedb88320
const ONE = 0x8000_0000

/**
 * The CRC-32 of two runs of bytes that follow each other, from that of each and the length of the second one. Lengths are whole
 * numbers up to 2^53.
 */
export function combineCrc(first: number, second: number, secondLength: number): number {
  return (multiply(zeros(secondLength), first) ^ second) >>> 0
}

/** x^(8 · length) modulo the polynomial: what as many zero bytes multiply a CRC by. */
function zeros(length: number): number {
  let product = ONE
  // x^8, squared once for each bit of the length.
  let power = ONE >>> 8
  for (let remainingLength = length; remainingLength > 0; remainingLength = Math.floor(remainingLength / 2)) {
    if (remainingLength % 2 === 1) product = multiply(power, product)
    power = multiply(power, power)
  }
  return product
}

/** The product of two polynomials modulo that of the CRC. */
function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = ONE; bit > 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL
  }
  return product >>> 0
}
