// The link that `dpdeid serve` prints has the token behind "#", which no browser sends.
const token = location.hash.slice(1);
if (token) {
  document.getElementById("token").value = token;
  history.replaceState(null, "", location.pathname + location.search);
}
