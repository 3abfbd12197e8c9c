/** Every digit of a text is in one of these. */
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g

/** What stands for each number in a template. */
const ANY = '0'

/** A text without its numbers: two texts have the same template if they differ in nothing else. */
export function templateOf(text: string): string {
  return text.replace(NUMBER, ANY)
}

/** The numbers of a text as they are written, in their order. */
export function numbersOf(text: string): readonly string[] {
  return text.match(NUMBER) ?? []
}

/** What turns the numbers of a text into those of another with the same template: `4:9.25,7:-1`, the places and numbers. */
export function changesOf(from: readonly string[], to: readonly string[]): string {
  let changes = ''
  for (let place = 0; place < to.length; place++) {
    const number = to[place] ?? ''
    if (number !== from[place]) changes += `${changes === '' ? '' : ','}${place}:${number}`
  }
  return changes
}

/** The text that `changesOf` was told the numbers of, made of the other one. */
export function withChanges(text: string, changes: string): string {
  if (changes === '') return text
  const numbers = new Map(
    changes.split(',').map((change) => {
      const colon = change.indexOf(':')
      return [Number(change.slice(0, colon)), change.slice(colon + 1)]
    }),
  )
  let place = 0
  return text.replace(NUMBER, (number) => numbers.get(place++) ?? number)
}
