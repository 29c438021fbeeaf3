const [choose, path, offset, read, content, receipt] = document.querySelectorAll("[id]")

async function show() {
  content.textContent = "Reading…"
  const answer = await window.reader.read({ path: path.value, offset: offset.value === "" ? null : offset.value })
  const blocks = answer.error === undefined ? answer.content : [{ type: "text", text: answer.error }]
  content.replaceChildren(
    ...blocks.map((block) => {
      const element = document.createElement(block.type === "text" ? "pre" : "img")
      if (block.type === "text") element.textContent = block.text
      else element.src = `data:${block.mimeType};base64,${block.data}`
      return element
    }),
  )
  const times = `${answer.ms.toFixed(1)} ms\nevent-loop delay p99 ${answer.delayMs.toFixed(2)} ms`
  receipt.textContent = `${times}\n\n${JSON.stringify(answer.receipt ?? { error: answer.error }, null, 2)}`
}

read.addEventListener("click", show)
path.addEventListener("keydown", (event) => event.key === "Enter" && show())
choose.addEventListener("click", async () => {
  const chosen = await window.reader.choose()
  if (chosen === undefined) return
  path.value = chosen
  await show()
})
document.addEventListener("dragover", (event) => {
  event.preventDefault()
  content.classList.add("over")
})
document.addEventListener("drop", async (event) => {
  event.preventDefault()
  content.classList.remove("over")
  const [file] = event.dataTransfer.files
  if (file === undefined) return
  path.value = window.reader.pathOf(file)
  await show()
})
