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
