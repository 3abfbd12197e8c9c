/** Child process: stores files until it is killed. It prints the number of each round that it has begun, once something is stored. */

import { setImmediate } from 'node:timers/promises'
import { fileFormat } from '../../src/plan/format/file-format.ts'
import { findAll, learnedOf, openStore, refOf } from './stored.ts'

const [, , path = ''] = process.argv
const store = openStore(path)
const format = fileFormat('netcdf', 'grid', {})
let isStored = false
for (let round = 1; ; round++) {
  for (let nth = 0; nth < 100; nth++) store.put(format, refOf(nth, round), learnedOf(nth, round))
  await setImmediate()
  const [last = null] = await findAll(store, format, [refOf(0, round - 1)])
  isStored ||= last !== null
  if (isStored) process.stdout.write(`${round}\n`)
}
