import t from 'tap'
import { unknownColumn } from '../../src/main/query/bind/unknown-column.ts'
import { errorOf } from './bound.ts'

const NAMES = ['depth', 'time']

const about = (name: string): string => errorOf(() => unknownColumn(name, 'select[0]', 'obs', NAMES))

t.test('with the nearest name, an alias, or a call', async (t) => {
  const start = (name: string): string => `unknown_column: select[0]: there is no column "${name}" in obs; `
  const has = 'it has "depth", "time"'
  for (const [name, advice] of [
    ['detph', 'did you mean "depth"? It has "depth", "time"'],
    ['salinity', has],
    ['depth AS d', `another name is given as {"column": "depth", "alias": "d"}; ${has}`],
    ['depth  as  d', `another name is given as {"column": "depth", "alias": "d"}; ${has}`],
    ['depth as d as e', `another name is given as {"column": "depth as d", "alias": "e"}; ${has}`],
    ['as d', has],
    ['round(depth)', `a call is written as {"function": "round", "args": ["depth"]}; ${has}`],
    ['*', `name the columns, or ask in SQL, which has SELECT *; ${has}`],
  ] as const)
    t.equal(about(name), start(name) + advice, name)
})

t.test('a name as long as a body takes time in proportion to its length', async (t) => {
  for (const name of [
    `${' '.repeat(1_000_000)}x`,
    `${'a as '.repeat(200_000)}!`,
    `f(${'('.repeat(1_000_000)}`,
  ])
    t.match(about(name), /^unknown_column: /)
})
