import type { Test } from 'tap'
import type { Tables } from '../external/tables.ts'

type Random = (below: number) => number

/** Constants of SQL for columns, by their names. */
export type Constants = Readonly<Record<string, readonly string[]>>

const SIGNS = ['=', '<>', '<', '<=', '>', '>=']

/**
 * Compares the rows of `types` that generated conditions leave when the database gets what it understands of them, with those that
 * are left when all rows come. `prefixed`: columns that are compared with a prefix.
 */
export async function compareConditions(
  t: Test,
  here: Pick<Tables, 'ask' | 'explain'>,
  constants: Constants,
  prefixed: readonly string[],
  random: Random,
): Promise<void> {
  const atom = (): string => {
    const names = Object.keys(constants)
    const name = names[random(names.length)] ?? 'id'
    const ofName = constants[name] ?? []
    const constant = (): string => ofName[random(ofName.length)] ?? 'NULL'
    switch (random(8)) {
      case 0:
        return `${name} IS ${random(2) === 0 ? '' : 'NOT '}NULL`
      case 1:
        return `${name} BETWEEN ${constant()} AND ${constant()}`
      case 2:
        return `${name} IN (${constant()}, ${constant()})`
      case 3:
        return prefixed.includes(name) ? `${name} LIKE 'a%'` : `${name} = ${constant()}`
      default:
        return `${name} ${SIGNS[random(SIGNS.length)]} ${constant()}`
    }
  }
  const condition = (depth: number): string =>
    depth === 0 || random(3) === 0
      ? atom()
      : random(5) === 0
        ? `NOT (${condition(depth - 1)})`
        : `(${condition(depth - 1)} ${random(2) === 0 ? 'AND' : 'OR'} ${condition(depth - 1)})`
  for (let run = 0; run < 60; run++) {
    const where = condition(2)
    const sent = await here.ask(`SELECT id FROM types WHERE ${where} ORDER BY id`)
    const kept = await here.ask(
      `SELECT id FROM (SELECT *, row_number() OVER () AS place FROM types) WHERE ${where} ORDER BY id`,
    )
    if (!t.strictSame(sent, kept, where)) t.comment(await here.explain(`SELECT id FROM types WHERE ${where}`))
  }
}
