/** Numbers below a bound, the same sequence for the same seed (xorshift32 of Marsaglia). */
export function generator(seed: string): (below: number) => number {
  let state = [...seed].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 2_463_534_242) | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
