// The thread that draws QR codes (qr-drawing.ts).
import { toBuffer, toString as toSvg } from 'qrcode'
import { drawInThread } from '../../kernel/basics/draw-in-thread.ts'
import type { QrDrawingRequest } from './qr-drawing.ts'

// A code survives a scratch over 15 % of it and stays coarse enough for a cheap camera; the white
// frame is the four modules that the standard requires.
const quality = { errorCorrectionLevel: 'M', margin: 4 } as const
// About 540 pixels wide: sharp on a phone's screen. Use the SVG for large prints.
const pngPixelsPerModule = 12

drawInThread<QrDrawingRequest>(async ({ url, format }) =>
  format === 'png'
    ? toBuffer(url, { ...quality, type: 'png', scale: pngPixelsPerModule })
    : Buffer.from(await toSvg(url, { ...quality, type: 'svg' })),
)
