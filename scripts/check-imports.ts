/**
 * The direction of imports (design.md, "Layout"): plan imports nothing; wasm imports plan; workers import wasm and
 * plan; main imports plan. Exits 1 and names each import that goes against it.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  plan: [],
  wasm: ['plan'],
  workers: ['wasm', 'plan'],
  main: ['plan'],
  sample: [],
}

/** Packages that only some rooms may load: rows stay in the core, readers stay with the workers. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'apache-arrow': ['main', 'sample'],
  'parquet-wasm': ['wasm', 'sample'],
  '@duckdb': ['wasm'],
  piscina: ['main', 'workers'],
  fastify: ['main'],
  'better-sqlite3': ['main'],
}

const faults: string[] = []
for (const file of globSync('src/**/*.ts')) {
  const room = file.split('/')[1] ?? ''
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import)\s*\(?\s*'([^']+)'/g,
  )) {
    if (specifier.startsWith('.')) {
      const target = normalize(join(dirname(file), specifier)).split('/')[1] ?? ''
      if (target !== room && !ALLOWED[room]?.includes(target))
        faults.push(`${file}: ${room} must not import ${specifier}`)
    } else {
      const rooms = PACKAGES[specifier.split('/')[0] ?? '']
      if (rooms && !rooms.includes(room)) faults.push(`${file}: ${room} must not import ${specifier}`)
    }
  }
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
