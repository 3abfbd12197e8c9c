/** Numbers below a bound, another sequence for each name and each seed (xorshift32 of Marsaglia). */
export function sequence(name: string, seed: number): (below: number) => number {
  let state = [...`${name} ${seed}`].reduce(
    (sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x9e3779b1) + 0x7f4a7c15,
    2_463_534_242,
  )
  state ||= 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
