import { freeMemory } from '../../../../plan/free-memory.ts'
import type { OdvPlan } from '../../../../plan/output/odv-plan.ts'
import { ODV_FILES } from '../../../../plan/output/odv-stations.ts'
import type { RunTexts } from '../../../../plan/output/odv-text.ts'
import type { EncodedAnswer } from '../../../../plan/task/file-tasks.ts'
import type { Delivered } from '../../body.ts'
import type { Delivery, Files } from '../../deliver.ts'
import { deliverFile } from '../../deliver-file.ts'
import { contentOf } from '../../zip/content-packer.ts'
import { type ArchiveWriter, createArchive } from '../../zip/write-archive.ts'
import { titleLine } from './odv-head.ts'
import { runTexts } from './run-texts.ts'

/** The archive as a file, which is complete before it is sent. `heads` are the comments at the beginning of each of its files. */
export function deliverOdv(
  plan: OdvPlan,
  heads: readonly string[],
  delivery: Delivery,
  files: Files,
): Promise<Delivered> {
  const { folder } = files
  return deliverFile(delivery, files, async (file) => {
    const names = ODV_FILES.map(({ name }) => name)
    const archive = await createArchive(file, folder, names, plan.compression)
    try {
      const text = createTextFiles(archive, plan, heads)
      for await (const answer of runTexts(plan, delivery, folder)) await text.append(answer)
      await text.finish()
      await archive.finish()
    } finally {
      await archive.close()
    }
  })
}

interface TextFiles {
  append(answer: EncodedAnswer): Promise<void>
  /** Writes the heads of the files that have no rows. */
  finish(): Promise<void>
}

/** Puts a head in front of the first rows of each file. */
function createTextFiles(
  archive: ArchiveWriter,
  { line, compression }: OdvPlan,
  heads: readonly string[],
): TextFiles {
  const begun = new Set<number>()
  return {
    async append({ chunks, summary }) {
      const texts: RunTexts = JSON.parse(Buffer.from(summary).toString())
      let next = 0
      for (const { file, chunks: count, size, crc } of texts) {
        const fileChunks = chunks.slice(next, next + count).map((chunk) => Buffer.from(chunk))
        next += count
        if (!begun.has(file))
          await archive.append(file, await contentOf(`${heads[file]}${titleLine(line)}`, compression))
        begun.add(file)
        await archive.append(file, { chunks: fileChunks, size, crc })
        for (const chunk of fileChunks) freeMemory(chunk)
      }
    },
    async finish() {
      for (const [file, head] of heads.entries())
        if (!begun.has(file)) await archive.append(file, await contentOf(head, compression))
    },
  }
}
