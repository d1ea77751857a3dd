// One word at a time. Nothing is asked before the answer to the last one is back from the disk, and
// what is pressed meanwhile is lost: no key may answer a word that nobody saw.
const part = (id) => document.getElementById(id);
const item = part("item"), told = part("told"), single = part("single");
let busy = false;

async function ask(path, body) {
  const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, body ? sent : {});
  if (answer.status === 401) location.assign("/login");
  if (!answer.ok && answer.status !== 409) throw new Error(answer.status);
  return answer.text();
}

async function next(path, body, tag) {
  if (busy) return;
  busy = true;
  item.setAttribute("aria-busy", "true");
  try {
    item.innerHTML = await ask(path, body);
    told.className = "";
    told.textContent = item.firstElementChild.dataset.told;
    settle(tag);
  } catch {
    told.className = "fault";
    told.textContent = told.dataset.lost;
  } finally {
    busy = false;
    item.removeAttribute("aria-busy");
  }
  if (body) figures().catch(() => {});
}

async function figures() {
  part("figures").innerHTML = await ask("/review/figures");
  part("recall").textContent = part("figures").firstElementChild.dataset.recall;
}

const state = () => item.firstElementChild.dataset;
const tags = () => [...item.querySelectorAll(".tag")];

// The word in view, the span beside it in reach of Tab, the focus where reading begins.
function settle(start) {
  const word = item.querySelector(".asked"), note = item.querySelector(".note");
  for (const button of document.querySelectorAll("[data-key]")) {
    button.disabled = !word && button.dataset.key !== "u";
  }
  if (word) {
    note.scrollTop = word.offsetTop - note.clientHeight / 2;
    const every = tags(), far = (tag) => Math.abs(tag.offsetTop - word.offsetTop) * 1000 + Math.abs(tag.offsetLeft - word.offsetLeft);
    const own = every.find((tag) => tag.dataset.start === start);
    const near = own || every.reduce((best, tag) => (best && far(best) <= far(tag) ? best : tag), null);
    if (near) near.tabIndex = 0;
    if (own) return own.focus();
  }
  if (start !== null) part("asked").focus();
}

function reach(tag) {
  for (const other of tags()) other.tabIndex = -1;
  tag.tabIndex = 0;
  tag.focus();
}

function wrong(tag) {
  const { start, end } = tag.dataset, { item: number, whole } = state();
  next("/review/wrong", { item: +number, start: +start, end: +end, whole: whole === "true" }, start);
}

function press(key) {
  const number = +state().item;
  if (key === "c") return next(`/review/item?whole=${state().whole !== "true"}`);
  if (key === "u") return next("/review/undo", {});
  if (key !== "w") return next("/review/answer", { item: number, key });
  const near = tags().find((tag) => tag.tabIndex === 0);
  if (document.activeElement.matches(".tag")) return wrong(document.activeElement);
  if (near) return reach(near);
  told.textContent = told.dataset.none;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.key) press(button.dataset.key);
  else if (button.matches(".tag")) wrong(button);
  else if (button.matches(".again")) next("/review/item");
  else if (button.id === "lists") {
    ask("/review/lists", {}).then((text) => (part("learned").textContent = text.trim()), () => (part("learned").textContent = told.dataset.lost));
  }
});

document.addEventListener("keydown", (event) => {
  const { target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (target.matches("input, select, textarea, [contenteditable]")) return;
  if (target.matches(".tag") && ["ArrowRight", "ArrowLeft"].includes(event.key)) {
    const every = tags(), to = every[every.indexOf(target) + (event.key === "ArrowRight" ? 1 : -1)];
    event.preventDefault();
    return to && reach(to);
  }
  if (target.matches(".tag") && event.key === "Escape") return part("asked").focus();
  if (!single.checked || (event.key === " " && target.matches("button, a, summary"))) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!button || button.disabled) return;
  event.preventDefault();
  press(button.dataset.key);
});

single.checked = localStorage.getItem("single") !== "off";
const switched = () => document.body.classList.toggle("no-keys", !single.checked);
single.addEventListener("change", () => {
  localStorage.setItem("single", single.checked ? "on" : "off");
  switched();
});
switched();
settle(null);
figures().catch(() => {});
