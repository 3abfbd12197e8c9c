/**
 * Checks that `npm ci` can install package-lock.json on any platform and without a compiler. `--fix` writes what is missing.
 * npm leaves out two things when it writes the file:
 *
 * - the entry of an optional dependency that the registry does not have, such as the binaries for other platforms on a
 *   mirror: `npm ci` then refuses the whole file;
 * - `"gypfile": false`, by which a package with prebuilt binaries says that there is nothing to compile: npm 10 then runs
 *   node-gyp.
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface Entry {
  version?: string
  cpu?: string[]
  dev?: boolean
  gypfile?: boolean
  libc?: string[]
  optional?: boolean
  os?: string[]
  optionalDependencies?: Record<string, string>
}

const LOCK = 'package-lock.json'

/** Packages that have prebuilt binaries and a binding.gyp. */
const PREBUILT = ['better-sqlite3']

const PLATFORM = /-(aix|android|darwin|freebsd|linux|netbsd|openbsd|sunos|win32)-(\w+?)(?:-(gnu|musl|msvc))?$/

const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, Entry> }
const { packages } = lock
const faults: string[] = []

for (const [path, parent] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (packages[`node_modules/${name}`] || packages[`${path}/node_modules/${name}`]) continue
    const [, os, cpu, libc] = PLATFORM.exec(name) ?? []
    if (os === undefined || cpu === undefined) continue
    faults.push(`${name}@${version}, an optional dependency of ${path}, has no entry`)
    packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(parent.dev && { dev: true }),
      ...(libc === 'musl' && { libc: [libc] }),
      optional: true,
      os: [os],
    }
  }
}

for (const name of PREBUILT) {
  const entry = packages[`node_modules/${name}`]
  if (entry === undefined || entry.gypfile === false) continue
  faults.push(`${name} has lost "gypfile": false`)
  entry.gypfile = false
}

if (faults.length > 0 && process.argv.includes('--fix')) {
  lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
} else if (faults.length > 0) {
  for (const fault of faults) console.error(`${LOCK}: ${fault}`)
  console.error('Run: node scripts/check-lock.ts --fix')
  process.exitCode = 1
}
