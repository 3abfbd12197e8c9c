/**
 * What the tables of crawlers were made of the last time, over restarts: a digest for each name. Whatever is lost of it costs time: the
 * columns of the table's files are read once more.
 */
export interface CrawledDigests {
  /** Begins to read what is stored, which the first `find` waits for otherwise. */
  load(): void
  /** The digest of a table. Undefined: it is not known. Never rejects. */
  find(name: string): Promise<string | undefined>
  /** Stores the digest of a table, in place of an earlier one. It is written later, with others. */
  put(name: string, digest: string): void
  /** Writes what is not written yet. Never rejects. */
  flush(): Promise<void>
}

/** A digest as it is stored. */
export interface CrawledDigest {
  readonly name: string
  readonly digest: string
}

/** The most tables. */
export const MOST_CRAWLED = 65_536

/** Nothing is stored. */
export const NO_CRAWLED_DIGESTS: CrawledDigests = Object.freeze({
  load() {},
  find: async () => undefined,
  put() {},
  async flush() {},
})
