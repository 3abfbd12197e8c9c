import { writeFileSync } from 'node:fs'
import type { Test } from 'tap'
import { type AskedService, csv, startAskedService } from '../answers/asking.ts'
import { type ChangingCatalog, changingCatalog, csvSource } from './two-tables.ts'

export interface Tables {
  readonly service: AskedService
  readonly catalog: ChangingCatalog
}

/** Two tables over two files that stay as they are: `one` has 1 and 2, `two` has 7. */
export async function startWithTables(t: Test): Promise<Tables> {
  const catalog = changingCatalog()
  const service = await startAskedService(t, { catalog })
  writeFileSync(service.at('a.csv'), csv(1, 2))
  writeFileSync(service.at('b.csv'), csv(7))
  catalog.define('one', csvSource('a.csv'))
  catalog.define('two', csvSource('b.csv'))
  await service.settle()
  return { service, catalog }
}
