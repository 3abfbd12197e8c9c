import { readFile } from 'node:fs/promises'
import { type CpuInfo, cpus, freemem, hostname, loadavg, release, totalmem, uptime, version } from 'node:os'

/** What `/api/info` tells of the machine, by the names that clients of the reference service read. */
interface SystemInfo {
  /** Percent of all CPUs together since the last call, or since the start of the machine. */
  readonly global_cpu_usage: number
  readonly cpus: readonly CpuUsage[]
  /** The CPUs that the system shows. It does not tell which of them are cores of their own. */
  readonly physical_core_count: number
  /** Bytes, as those below. */
  readonly total_memory: number
  readonly available_memory: number
  readonly used_memory: number
  readonly free_memory: number
  readonly total_swap: number
  readonly used_swap: number
  /** Seconds since the start of the machine. */
  readonly uptime: number
  readonly load_average: { readonly one: number; readonly five: number; readonly fifteen: number }
  /** Of the host: to the super-user alone. */
  readonly long_os_version?: string
  readonly kernel_version?: string
  readonly host_name?: string
}

interface CpuUsage {
  readonly name: string
  /** To the super-user alone. */
  readonly brand?: string
  /** Megahertz. */
  readonly frequency: number
  /** Percent. */
  readonly cpu_usage: number
}

/** Tells of the machine as it is now. */
export type FindSystemInfo = (forSuperUser: boolean) => Promise<SystemInfo>

export function createSystemInfo(): FindSystemInfo {
  let earlier: readonly CpuInfo[] = []
  return async (forSuperUser) => {
    const now = cpus()
    const usages = now.map((cpu, index) => usageOf(cpu, earlier[index]))
    earlier = now
    const [total, free] = [totalmem(), freemem()]
    const [one = 0, five = 0, fifteen = 0] = loadavg()
    return {
      global_cpu_usage: round(usages.reduce((sum, each) => sum + each, 0) / Math.max(1, usages.length)),
      cpus: now.map(({ model, speed }, index) => ({
        name: `cpu${index}`,
        ...(forSuperUser && { brand: model }),
        frequency: speed,
        cpu_usage: round(usages[index] ?? 0),
      })),
      physical_core_count: now.length,
      total_memory: total,
      available_memory: free,
      used_memory: total - free,
      free_memory: free,
      ...(await swap()),
      uptime: Math.floor(uptime()),
      load_average: { one, five, fifteen },
      ...(forSuperUser && { long_os_version: version(), kernel_version: release(), host_name: hostname() }),
    }
  }
}

/** Percent of the time since an earlier look in which a CPU was not idle. */
function usageOf({ times }: CpuInfo, earlier: CpuInfo | undefined): number {
  const sum = (each: CpuInfo['times']): number => each.user + each.nice + each.sys + each.irq + each.idle
  const all = sum(times) - (earlier === undefined ? 0 : sum(earlier.times))
  const idle = times.idle - (earlier?.times.idle ?? 0)
  return all <= 0 ? 0 : 100 * (1 - idle / all)
}

/** As Linux tells it. Elsewhere there is none. */
async function swap(): Promise<Pick<SystemInfo, 'total_swap' | 'used_swap'>> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const bytes = (key: string): number =>
    1024 * Number(new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0)
  const total = bytes('SwapTotal')
  return { total_swap: total, used_swap: total - bytes('SwapFree') }
}

function round(percent: number): number {
  return Math.round(percent * 100) / 100
}
