import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './manifests.ts'

const COPIED = ['src', 'docs', 'scripts/bundle-modules.ts', 'scripts/bundle-service.ts', 'package.json']

/** Makes a folder into a checkout of this project after `npm ci --ignore-scripts`: without bundles. Its packages are those of this one. */
export function makeCheckout(folder: string): void {
  const isRust = /\/src\/wasm\/(?:src|tests|codecs\/(?:src|tests))$/
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (source) => !isRust.test(source),
    })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
}

/** What `npm ci` does at its end. */
export function bundleService(folder: string): void {
  execFileSync(process.execPath, [join(folder, 'scripts/bundle-service.ts')])
}
