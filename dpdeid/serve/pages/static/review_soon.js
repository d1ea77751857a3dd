// How far the notes are; the page comes anew once they are ready.
const bar = document.getElementById("done");
async function look() {
  const state = await (await fetch("/review/state")).json();
  bar.value = state.done;
  document.getElementById("count").textContent = state.done;
  if (state.ready) location.reload();
}
if (bar) setInterval(() => look().catch(() => {}), 1000);
