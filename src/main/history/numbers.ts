/** A number in a text. Every digit of a text belongs to one. */
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g

/** Takes the place of each number in a template. */
const ANY = '0'

/** A text with its numbers replaced. Texts that differ in nothing but numbers have the same template. */
export function templateOf(text: string): string {
  return text.replace(NUMBER, ANY)
}

/** The numbers of a text in their order, as they are written. */
export function numbersOf(text: string): readonly string[] {
  return text.match(NUMBER) ?? []
}

/**
 * The difference between the numbers of two texts with the same template: indexes and new numbers, such as `4:9.25,7:-1`. It
 * turns those of `from` into those of `to`.
 */
export function changesOf(from: readonly string[], to: readonly string[]): string {
  let changes = ''
  for (let index = 0; index < to.length; index++) {
    const number = to[index] ?? ''
    if (number !== from[index]) changes += `${changes === '' ? '' : ','}${index}:${number}`
  }
  return changes
}

/** A text with the changes that `changesOf` gave applied to its numbers. */
export function withChanges(text: string, changes: string): string {
  if (changes === '') return text
  const numbers = new Map(
    changes.split(',').map((change) => {
      const colon = change.indexOf(':')
      return [Number(change.slice(0, colon)), change.slice(colon + 1)]
    }),
  )
  let index = 0
  return text.replace(NUMBER, (number) => numbers.get(index++) ?? number)
}
