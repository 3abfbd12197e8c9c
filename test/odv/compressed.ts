import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { runPython } from '../support/python.ts'

const TITLES = [
  'Cruise',
  'Station',
  'Type',
  'yyyy-mm-ddThh:mm:ss.sss',
  'Longitude [degrees_east]',
  'Latitude [degrees_north]',
  'Depth [m]',
  'Temp [degC]',
  'Note',
].join('\t')

/** The text of an ODV file: stations of 50 rows, whose first row alone has the metadata. */
export function odvText(stations: number, cruise = 'C1'): string {
  const lines = Array.from({ length: 50 * stations }, (_, row) => {
    const [station, depth] = [Math.floor(row / 50), row % 50]
    const day = String(1 + (station % 28)).padStart(2, '0')
    const metadata =
      depth === 0
        ? `${cruise}\tS${station}\tB\t2001-02-${day}T03:04:05\t${-10 - (station % 7)}\t${50 + (station % 5)}`
        : '\t\t\t\t\t'
    return `${metadata}\t${depth * 10}\t${((row * 7919) % 3000) / 100}\t${'é'.repeat(row % 3)}${`${row * 7919} `.repeat(5)}`
  })
  return `//<Encoding>UTF-8</Encoding>\n${TITLES}\n${lines.join('\n')}\n`
}

const WITH_PYTHON = `
import base64, bz2, lzma, sys
data = open(sys.argv[1], 'rb').read()
for each in (lzma.compress(data, preset=1), bz2.compress(data, 9)): print(base64.b64encode(each).decode())
`

/** The same bytes, compressed in each of the ways by a reference library. The keys are the extensions of names. */
export async function compressed(text: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const folder = mkdtempSync(join(tmpdir(), 'compressed-'))
  try {
    const file = join(folder, 'plain')
    writeFileSync(file, text)
    const [xz = '', bz2 = ''] = (await runPython(WITH_PYTHON, [file])).split('\n')
    // Without its checksum, damaged bytes might be those of another text.
    const zst = zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    return {
      gz: gzipSync(text),
      zst,
      zstd: zst,
      xz: Buffer.from(xz, 'base64'),
      bz2: Buffer.from(bz2, 'base64'),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
