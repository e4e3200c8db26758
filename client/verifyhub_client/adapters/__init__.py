"""Adapters for agent frameworks.

Each module needs its own framework; the rest of the package imports none of them.

openai_agents   hooks and an output guardrail of the OpenAI Agents SDK
langgraph       a node that checks the last answer of a LangGraph graph
pydantic_ai     an output validator of Pydantic AI
claude_code     a Stop hook of Claude Code, as a script
"""
