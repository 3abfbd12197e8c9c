/** Thrown by `Provider.open` for a file without `metadata` that are parsed in the annex. */
class MetadataNeeded extends Error {
  override readonly name = 'MetadataNeeded'
}

export function metadataNeeded(path: string): Error {
  return new MetadataNeeded(`the metadata of "${path}" have not been parsed`)
}

export function isMetadataNeeded(error: unknown): boolean {
  return error instanceof MetadataNeeded
}
