// Where the customer finds an invoice online: its address, and the same as a QR code to scan.
import { create } from 'qrcode'
import type { SnapshotPage } from '../document-snapshot.ts'
import { body, lineHeight, strong } from './looks.ts'
import { page, type Sheet } from './sheet.ts'

const codeSize = 76
const gap = 14

export function drawOnline(sheet: Sheet, online: SnapshotPage | undefined): void {
  if (!online) return
  const { url, takesPayments } = online
  if (sheet.roomLeft() < codeSize + 30) sheet.turnPage()
  else sheet.y += 24
  const top = sheet.y
  drawCode(sheet, url, page.left, top)
  const left = page.left + codeSize + gap
  const paragraph = sheet.add(sheet.root, 'P')
  const text = takesPayments ? 'Pay this invoice online' : 'See this invoice online'
  sheet.write(paragraph, text, left, top + 14, strong)
  let y = top + 14
  for (const line of ['Scan the code, or open:', ...sheet.linesOf(url, body, page.right - left)]) {
    y += lineHeight
    sheet.write(paragraph, line, left, y, body)
  }
  sheet.y = top + codeSize
}

// The text beside it says the same, so the code itself is not read out.
function drawCode(sheet: Sheet, url: string, left: number, top: number): void {
  const { modules } = create(url, { errorCorrectionLevel: 'M' })
  const size = codeSize / modules.size
  for (let row = 0; row < modules.size; row += 1) {
    // Dark neighbours are drawn as one bar.
    for (let column = 0; column < modules.size; ) {
      let end = column
      while (end < modules.size && modules.get(row, end)) end += 1
      if (end > column) {
        const width = (end - column) * size
        // A little higher, so that no hairline shows between rows.
        sheet.fill(left + column * size, top + row * size, width, size + 0.05, '#000000')
      }
      column = end + 1
    }
  }
}
