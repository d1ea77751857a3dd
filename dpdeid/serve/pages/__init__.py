"""What people see of the service: pages rendered here, in French and English, with a small script
and nothing from elsewhere. Each page is a module with its routes, a template and its words.
"""
