"""The compression dictionary of event data.

It must never change, since stored rows can only be read with the same one. A better one
needs another constant, and a column for the dictionary.
"""

# Texts near the end take the fewest bytes.
USUAL_TEXTS = (
    b'"mitigation":{"action":"regenerate","reason":"layer_failed"},"selfAssessment":{'
    b'"confidence":0.95,"completeness":1.0,"gaps":[],"reasoning":"","overconfidence":'
    b'0.5,"overcompleteness":null},"riskLevel":"high","riskLevel":"low","passed":true,'
    b'"action":"clarify","action":"reformulate","action":"retry","action":"follow_up",'
    b'"reason":"too_many_unverified","reason":"contradicted_claim",'
    b'"reason":"nothing_to_check","reason":"checks_passed","verdict":"reject",'
    b'{"code":"UNVERIFIED_DIRECTORY","message":"The folder was not found in what the '
    b'tools returned."},{"code":"UNVERIFIED_PACKAGE","message":"The package was not '
    b'found in what the tools returned."},{"code":"UNVERIFIED_CLASS","message":"The '
    b'class was not found in what the tools returned."},{"code":'
    b'"UNVERIFIED_IDENTIFIER","message":"The identifier was not found in what the tools'
    b' returned."},{"code":"UNVERIFIED_COMMAND","message":"The command was not found '
    b'in what the tools returned."},{"code":"CONTRADICTED_CLAIM","message":"The tool '
    b'calls speak against a claim of work done."},{"code":"UNATTEMPTED_CLAIM",'
    b'"message":"No tool call did the work that is claimed."},{"code":'
    b'"NOTHING_TO_CHECK","message":'
    b'"The answer names and claims nothing that could be looked up."},'
    b'"verdict":"accept","action":"accept","reason":"low_confidence",'
    b'"verification":{"number":1,"attempt":1,"verdict":"uncertain","action":"accept",'
    b'"reason":"low_confidence","confidence":0.4,"completeness":null,"coverage":1.0,'
    b'"verified":[],"unverified":[],"gaps":[],"warnings":[{"code":"UNVERIFIED_FILE",'
    b'"message":"The file was not found in what the tools returned."},{"code":'
    b'"UNVERIFIED_FUNCTION","message":"The function was not found in what the tools '
    b'returned."},{"code":"LOW_CONFIDENCE","message":"Confidence is 0.40."}]},'
    b'"selfAssessment":null,"detection":{"passed":null,"overallConfidence":null,'
    b'"riskLevel":"medium","layersRun":0,"totalLatencyMs":0},"mitigation":null}'
)
