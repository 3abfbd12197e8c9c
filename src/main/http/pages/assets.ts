import { readFileSync } from 'node:fs'

/** A file that pages load. */
export interface Asset {
  readonly type: string
  readonly bytes: Buffer
}

const TYPES = {
  'favicon.svg': 'image/svg+xml',
  'pages.css': 'text/css; charset=utf-8',
  'home.js': 'text/javascript; charset=utf-8',
} as const

export type AssetName = keyof typeof TYPES

/** Reads a file of the folder assets/. */
export function readAsset(name: AssetName): Asset {
  return { type: TYPES[name], bytes: readFileSync(new URL(`./assets/${name}`, import.meta.url)) }
}
