"""What FHIR resources and HL7 messages are made of: facts, codes, narratives, forms of release."""
