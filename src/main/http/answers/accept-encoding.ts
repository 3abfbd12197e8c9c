import { CONTENT_CODINGS, type ContentCoding } from '../../answers/content-coding.ts'

/**
 * The coding that `Accept-Encoding` (RFC 9110 §12.5.3) prefers for an answer. Null: none. Arrow and NetCDF are sent under zstd only: gzip
 * takes longer than making the rows, and most HTTP libraries accept it by default, whether or not their user cares.
 */
export function preferredCoding(header: string | undefined, contentType: string): ContentCoding | null {
  if (header === undefined) return null
  const allowed = allowedCodings(contentType)
  if (!allowed.some((coding) => header.toLowerCase().includes(coding))) return null
  const weights = weightsOf(header)
  let preferred: ContentCoding | null = null
  let best = weights.get('identity') ?? 0
  for (const coding of allowed) {
    const weight = weights.get(coding) ?? 0
    if (weight === 0 || weight < best || (weight === best && preferred !== null)) continue
    preferred = coding
    best = weight
  }
  return preferred
}

/** The weight of each coding in the header, 0 to 1, by its name in lower case. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((text) => text.trim().toLowerCase())
      const quality = parameters.find((text) => text.startsWith('q='))
      const weight = quality === undefined ? 1 : Number(quality.slice(2))
      return [name, weight >= 0 && weight <= 1 ? weight : 0]
    }),
  )
}

function allowedCodings(contentType: string): readonly ContentCoding[] {
  if (/^(?:text\/|application\/(?:x-nd)?json)/.test(contentType)) return CONTENT_CODINGS
  return isArrow(contentType) || contentType === NETCDF ? ['zstd'] : []
}

/** Parquet and ZIP are compressed already. Files of NetCDF are not. */
const NETCDF = 'application/x-netcdf'

export function isArrow(contentType: string): boolean {
  return (
    contentType === 'application/vnd.apache.arrow.stream' ||
    contentType === 'application/vnd.apache.arrow.file'
  )
}
