import type { CrawlReport } from '../../crawlers/walk/crawl-request.ts'
import type { WalkedFiles } from '../../learned/file-registry.ts'

/** What a walk over the files of a folder begins with. */
export interface WalkRequest {
  /** The absolute path of the dataset root. */
  readonly root: string
  /** The folder below the root, `''` for all of it. */
  readonly prefix: string
  /** Folders of the service itself below the root. Absolute paths without symbolic links. */
  readonly hidden: readonly string[]
}

/** The next files of a walk, or its end. */
export type WalkStep =
  | { readonly kind: 'files'; readonly files: WalkedFiles }
  | { readonly kind: 'end'; readonly unread: CrawlReport['unread'] }

/** What the thread of a walk does. */
export interface WalkFunctions {
  begin(request: WalkRequest): Promise<void>
  /** The walk waits until it is asked. */
  next(argument: null): Promise<WalkStep>
  /** Ends the walk, whose next step rejects. */
  end(argument: null): void
}
