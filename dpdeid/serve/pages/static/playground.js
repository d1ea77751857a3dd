// A note and a policy go to the service; what comes back is a part of the page.
const at = (id) => document.getElementById(id);
const form = at("ask"), note = at("note"), policy = at("policy"), step = at("step"), result = at("result"), effects = at("effects"), said = at("said");
const folds = () => [...document.querySelectorAll("#result details, #effects details")];
const OWN = step.value;
let running = null, chosen = null;

function settle() {
  const pasted = note.value === form.dataset.pasted;
  at("paste").hidden = !pasted;
  at("policy-what").textContent = policy.selectedOptions[0].dataset.what;
  at("noise").hidden = true;
  step.value = OWN;
  result.replaceChildren();
  effects.replaceChildren();
  said.textContent = "";
}

async function ask() {
  const pasted = note.value === form.dataset.pasted;
  const body = { note: note.value, policy: policy.value, step: Number(step.value), text: pasted ? at("text").value : "" };
  if (running) running.abort();
  const mine = (running = new AbortController());
  result.setAttribute("aria-busy", "true");
  let html = "", ok = false;
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/try", { method: "POST", headers, body: JSON.stringify(body), signal: mine.signal });
    if ((answer.headers.get("Content-Type") || "").startsWith("text/html")) html = await answer.text();
    ok = answer.ok;
  } catch (error) {
    if (error.name === "AbortError") return;
  }
  if (mine !== running) return;
  const open = folds().map((one) => one.open);
  result.innerHTML = html;
  effects.replaceChildren(...[at("worth")].filter(Boolean));
  result.removeAttribute("aria-busy");
  if (!html) said.textContent = form.dataset.failed;
  else said.textContent = ok ? at("told").dataset.said : "";
  if (!ok) return;
  folds().forEach((one, i) => { one.open = Boolean(open[i]); });
  at("noise").hidden = pasted || !form.dataset.noised.split(" ").includes(policy.value);
  step.setAttribute("aria-valuetext", at("told").dataset.said);
  if (chosen !== null) choose(chosen);
}

function choose(number) {
  const why = at("why-" + number);
  if (!why) return;
  chosen = number;
  for (const span of result.querySelectorAll(".span")) {
    const is = span.dataset.at === number;
    span.classList.toggle("chosen", is);
    if (span.hasAttribute("aria-pressed")) span.setAttribute("aria-pressed", String(is));
  }
  at("why").replaceChildren(why.content.cloneNode(true));
}

function start() {
  chosen = null;
  said.textContent = form.dataset.busy;
  ask();
}

for (const choice of [note, policy]) choice.addEventListener("change", settle);
form.addEventListener("submit", (event) => { event.preventDefault(); start(); });
step.addEventListener("input", ask);
result.addEventListener("click", async (event) => {
  const span = event.target.closest(".span");
  if (span) {
    event.preventDefault();
    choose(span.dataset.at);
  } else if (event.target.id === "copy") {
    const text = at("released");
    try {
      await navigator.clipboard.writeText(text.value);
    } catch (error) {
      text.select();
      document.execCommand("copy");
    }
    said.textContent = form.dataset.copied;
  } else if (event.target.id === "save") {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([at("released").value], { type: "text/plain;charset=utf-8" }));
    link.download = "note.txt";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
});
result.addEventListener("keydown", (event) => {
  const span = event.target.closest("a.span");
  if (span && event.key === " ") {
    event.preventDefault();
    choose(span.dataset.at);
  }
});
settle();
