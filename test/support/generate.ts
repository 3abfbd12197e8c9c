/**
 * What tests generate comes from one seed: another one for each run of a test file, or that of `HALOCLINE_SEED`, which makes the
 * same again. It is printed, and once more among the failures if there are any.
 */
import { randomInt } from 'node:crypto'
import { default as fc } from 'fast-check'
import t from 'tap'
import { sequence } from './sequence.ts'

/** A whole number. */
const SEED = Number(process.env['HALOCLINE_SEED'] ?? randomInt(2 ** 31))
if (!Number.isInteger(SEED)) throw new TypeError('HALOCLINE_SEED must be a whole number.')
const HOW = `HALOCLINE_SEED=${SEED} generates the same again`

let isTold = false
t.comment(HOW)
t.afterEach((test) => {
  if (isTold || test.passing()) return
  isTold = true
  t.fail(HOW, { at: null, stack: '', source: '' })
})

fc.configureGlobal({ seed: SEED })

/** fast-check, on that seed. */
export { fc }

/** Numbers below a bound, another sequence for each name. */
export function generator(name: string): (below: number) => number {
  return sequence(name, SEED)
}
