// A real redis-server on a free loopback port, without persistence.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './processes.ts'

export type RedisServer = {
  readonly url: string
  // The whole outage: connections are cut, the port is closed, the data is gone.
  kill(): Promise<void>
  // Starts again on the same port.
  restart(): Promise<void>
  // Keeps the connections and answers nothing, as a swallowing network does.
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

export async function startRedis(): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'tillbook-redis-'))
  const { server, port } = await startOnFreePort(directory)
  let running = server
  const kill = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  // Whatever ends the test's process, no server stays behind.
  const killNow = () => void running.kill('SIGKILL')
  process.on('exit', killNow)
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      running = await start(directory, port)
    },
    freeze: () => void running.kill('SIGSTOP'),
    thaw: () => void running.kill('SIGCONT'),
    async stop() {
      await kill()
      process.off('exit', killNow)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

// Another process may take the port between asking for it and binding it.
async function startOnFreePort(directory: string) {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    try {
      return { server: await start(directory, port), port }
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
}

async function start(directory: string, port: number): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory]
  const server = spawn('redis-server', [...settings, '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: server.stdout })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Error('redis-server is needed: apt-get install redis-server', { cause })),
    )
    server.once('exit', (code) => reject(new Error(`redis-server ended with status ${code}`)))
    lines.on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve()
    })
  })
  return server
}
