import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Catalog } from '../../src/main/catalog/catalog.ts'
import {
  openStoredCatalog,
  type StoredCatalog,
  type StoredCatalogOptions,
} from '../../src/main/catalog/store/open-stored-catalog.ts'
import { storePaths } from '../../src/main/catalog/store/paths.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { createQueryCheck } from '../../src/main/statements/check-query.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { ANYBODY } from '../support/callers.ts'
import { DIE_AT } from './die-at-step.ts'

/** The catalog in a folder, as the service opens it. */
export function openInFolder(
  folder: string,
  options: Partial<StoredCatalogOptions> = {},
): Promise<StoredCatalog> {
  return openStoredCatalog({
    name: 'service',
    defaultTable: 'default',
    authAnonymousEnabled: true,
    secretsKey: [],
    formats: FORMATS,
    namesIn: createNamesIn(KNOWN_NAMES),
    checkQuery: createQueryCheck(KNOWN_NAMES),
    paths: storePaths(folder),
    log: {
      error(details, message) {
        throw new Error(`${message}: ${JSON.stringify(details)}`)
      },
    },
    ...options,
  })
}

/** The locations of external tables, by name. */
export function locations(catalog: Catalog): Readonly<Record<string, string>> {
  const tables = catalog.snapshot().all(ANYBODY)
  return Object.fromEntries(
    tables.flatMap(({ name, source }) => (source?.kind === 'location' ? [[name, source.location]] : [])),
  )
}

/** Runs a module over a folder, and returns the signal that ended it and what it has printed. */
export async function changeUntilKilled(
  folder: string,
  step: number,
  module = join(import.meta.dirname, 'change-until-killed.ts'),
): Promise<{ readonly signal: string | null; readonly printed: string }> {
  const child = spawn(process.execPath, [module, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, [DIE_AT]: String(step) },
  })
  const [[, signal], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)])
  return { signal, printed }
}
