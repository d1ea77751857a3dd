"""How far annotators agree, what they agree on, and how good each is (Loftsson 2022, chapter 3)."""
