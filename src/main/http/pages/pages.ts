import { readFileSync } from 'node:fs'
import type { Formats } from '../../../plan/format/create-formats.ts'
import type { Config } from '../../settings/config.ts'
import { createDocPages } from './docs.ts'
import { homePage } from './home.ts'

/** The pages of the service as HTML. */
export interface Pages {
  home(): string
  /** A page of the documentation, by its path below `/docs/`. Null: there is no such page. */
  doc(path: string): string | null
}

export function createPages(config: Config, formats: Formats): Pages {
  return { home: () => homePage(config, formats), doc: createDocPages(config.basePath) }
}

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
