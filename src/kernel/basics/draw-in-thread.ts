// Runs in the thread that drawing.ts starts: draws each request and sends the bytes back.
import { parentPort } from 'node:worker_threads'
import { assertDefined } from './assert.ts'
import type { DrawingAnswer } from './drawing.ts'

export function drawInThread<Request>(draw: (request: Request) => Promise<Uint8Array>): void {
  const port = assertDefined(parentPort, 'drawn outside of a thread')
  port.on('message', async (request: Request) => {
    port.postMessage(await answer(request))
  })

  // A request that can't be drawn must not end the thread.
  async function answer(request: Request): Promise<DrawingAnswer> {
    try {
      return { content: await draw(request) }
    } catch (error) {
      return { error }
    }
  }
}
