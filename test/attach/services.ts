import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type AccountService, startAccountService } from '../accounts/asked-accounts.ts'

export interface TwoServices {
  /** The one that has tables. */
  readonly there: AccountService
  readonly here: AccountService
  /** `host:port` of the other one. */
  readonly host: string
}

/** Two services, of which neither has attached the other one. */
export async function startTwo(
  t: Test,
  settings: Readonly<Record<string, string>> = {},
  settingsThere: Readonly<Record<string, string>> = {},
): Promise<TwoServices> {
  const there = await startAccountService(t, { settings: settingsThere })
  writeFileSync(join(there.datasets, 'obs.csv'), 'n,word\n1,a\n2,b\n3,c\n')
  for (const sql of [
    "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'",
    'CREATE VIEW "Big View" AS SELECT n FROM obs WHERE n > 1',
  ])
    t.equal(await there.state(sql), null, sql)
  const dataDir = join(there.dataDir, 'here')
  mkdirSync(dataDir, { recursive: true })
  const here = await startAccountService(t, {
    dataDir,
    settings,
    attachMs: 300_000,
  })
  return { there, here, host: new URL(there.url).host }
}
