// The PDF on the page of a document or quote. The browser loads it when it is opened.
export function PdfPreview({ href }: { href: string }) {
  return (
    <details class="card pdf-preview">
      <summary>PDF</summary>
      <iframe class="file-frame" src={href} title="PDF" loading="lazy" />
      <p class="mb-0">
        <a href={href} data-turbo="false" target="_blank" rel="noopener">
          Open the PDF
        </a>
      </p>
    </details>
  )
}
