/**
 * Keeps package-lock.json installable by `npm ci` on any platform and with no compiler; `--fix` writes what is
 * missing. npm drops both facts when it writes the lock:
 *
 * - an optional dependency that the registry at hand does not have (a mirror without other platforms' binaries)
 *   gets no entry, and `npm ci` then refuses the whole lock;
 * - `"gypfile": false`, by which a package with prebuilt binaries says that there is nothing to compile, is not kept,
 *   and npm 10 then runs node-gyp.
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

/** Packages that ship their binaries but also a binding.gyp. */
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
