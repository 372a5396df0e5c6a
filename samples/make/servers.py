"""Tool definitions of the servers in the samples.

The names are those of well-known servers where the story is about one; every
description is ours. Hints are as such servers set them: read tools carry
readOnlyHint, write tools often carry nothing, and then the defaults of MCP
hold.
"""

from wire import tool

_REPO = {"owner": "string: Account that owns the repository",
         "repo": "string: Repository name"}
_PAGE = {"page": {"type": "number", "description": "Page, counted from 1", "minimum": 1},
         "perPage": {"type": "number", "description": "Entries a page", "minimum": 1, "maximum": 100}}


def _read(name, title, description, properties, required=()):
    return tool(name, description, properties, required, title=title, readOnlyHint=True)


def _write(name, title, description, properties, required=()):
    return tool(name, description, properties, required, title=title)


def _repo(more=None, page=False):
    properties = dict(_REPO, **(more or {}))
    return dict(properties, **_PAGE) if page else properties


def github():
    """A repository host with 30 tools, of which the write tools carry no hints."""
    issue = {"issue_number": "number: Number of the issue"}
    pull = {"pullNumber": "number: Number of the pull request"}
    repo = ("owner", "repo")
    return [
        _write("add_issue_comment", "Comment on an issue", "Post a comment below an issue or pull request.",
               _repo(dict(issue, body="string: Text of the comment, Markdown")), repo + ("issue_number", "body")),
        _write("create_branch", "Create a branch", "Start a new branch at the tip of another one.",
               _repo({"branch": "string: Name of the new branch",
                      "from_branch": "string: Branch to start from; the default branch if left out"}),
               repo + ("branch",)),
        _write("create_or_update_file", "Write a file", "Commit one file, new or changed, to a branch.",
               _repo({"path": "string: Path inside the repository", "content": "string: New content of the file",
                      "message": "string: Commit message", "branch": "string: Branch to commit to",
                      "sha": "string: Blob that is replaced, when the file exists"}),
               repo + ("path", "content", "message", "branch")),
        _write("create_pull_request", "Open a pull request", "Propose the commits of a branch for merging.",
               _repo({"title": "string: Title", "body": "string: Description",
                      "head": "string: Branch with the changes", "base": "string: Branch to merge into",
                      "draft": {"type": "boolean", "description": "Open it as a draft"}}),
               repo + ("title", "head", "base")),
        _write("create_repository", "Create a repository", "Make a new repository for the signed-in account.",
               {"name": "string: Name", "description": "string: One line about it",
                "private": {"type": "boolean", "description": "Only collaborators may see it"}}, ("name",)),
        _read("get_commit", "Get a commit", "Show one commit with its message and changed files.",
              _repo({"sha": "string: Commit, branch or tag"}), repo + ("sha",)),
        _read("get_file_contents", "Get a file or folder", "Read a file, or list a folder, of a repository.",
              _repo({"path": "string: Path; ends in a slash for a folder",
                     "ref": "string: Branch, tag or commit to read at"}), repo),
        _read("get_label", "Get a label", "Show the name, colour and text of a label.",
              _repo({"name": "string: Label"}), repo + ("name",)),
        _read("get_latest_release", "Get the latest release", "Show the newest published release.", _repo(), repo),
        _read("get_me", "Who am I", "Show the account that this server is signed in as.", {}),
        _read("get_tag", "Get a tag", "Show one tag and the commit it names.",
              _repo({"tag": "string: Tag"}), repo + ("tag",)),
        _read("issue_read", "Read an issue", "Read one issue: its text, comments, labels or sub-issues.",
              _repo(dict(issue, method={"type": "string", "description": "What to read",
                                        "enum": ["get", "get_comments", "get_sub_issues", "get_labels"]}), page=True),
              ("method",) + repo + ("issue_number",)),
        _write("issue_write", "Create or change an issue", "Open an issue, or change its text, labels or state.",
               _repo({"method": {"type": "string", "enum": ["create", "update"]},
                      "issue_number": "number: Which issue to change", "title": "string: Title",
                      "body": "string: Text", "labels": "array: Labels to set",
                      "state": {"type": "string", "enum": ["open", "closed"]}}), ("method",) + repo),
        _read("list_branches", "List branches", "List the branches of a repository.", _repo(page=True), repo),
        _read("list_commits", "List commits", "List the commits of a branch, newest first.",
              _repo({"sha": "string: Branch, tag or commit to start at", "author": "string: Only by this account"},
                    page=True), repo),
        _read("list_issues", "List issues", "List the issues of a repository, filtered by state, label or date.",
              _repo({"state": {"type": "string", "description": "Both when left out", "enum": ["OPEN", "CLOSED"]},
                     "labels": "array: Only with these labels", "since": "string: Only changed after this time"},
                    page=True), repo),
        _read("list_pull_requests", "List pull requests", "List the pull requests of a repository.",
              _repo({"state": {"type": "string", "enum": ["open", "closed", "all"]},
                     "base": "string: Only into this branch"}, page=True), repo),
        _read("list_releases", "List releases", "List the releases of a repository.", _repo(page=True), repo),
        _read("list_tags", "List tags", "List the tags of a repository.", _repo(page=True), repo),
        _write("merge_pull_request", "Merge a pull request", "Merge a pull request into its base branch.",
               _repo(dict(pull, merge_method={"type": "string", "enum": ["merge", "squash", "rebase"]})),
               repo + ("pullNumber",)),
        _read("pull_request_read", "Read a pull request", "Read one pull request: text, diff, files, reviews or checks.",
              _repo(dict(pull, method={"type": "string",
                                       "enum": ["get", "get_diff", "get_files", "get_reviews", "get_status"]})),
              ("method",) + repo + ("pullNumber",)),
        _write("pull_request_review_write", "Review a pull request", "Write, submit or withdraw a review.",
               _repo(dict(pull, method={"type": "string", "enum": ["create", "submit_pending", "delete_pending"]},
                          body="string: Text of the review")), ("method",) + repo + ("pullNumber",)),
        _write("push_files", "Push several files", "Commit several files to a branch at once.",
               _repo({"branch": "string: Branch", "message": "string: Commit message",
                      "files": {"type": "array", "description": "The files",
                                "items": {"type": "object", "required": ["path", "content"],
                                          "properties": {"path": {"type": "string"},
                                                         "content": {"type": "string"}}}}}),
               repo + ("branch", "files", "message")),
        _write("request_copilot_review", "Ask for an automatic review", "Ask the built-in reviewer to look at a pull request.",
               _repo(pull), repo + ("pullNumber",)),
        _read("search_code", "Search code", "Search the files of all repositories that the account can see.",
              dict({"query": "string: Words and qualifiers"}, **_PAGE), ("query",)),
        _read("search_issues", "Search issues", "Search issues in all repositories that the account can see.",
              dict({"query": "string: Words and qualifiers", "owner": "string: Only of this account",
                    "repo": "string: Only in this repository"}, **_PAGE), ("query",)),
        _read("search_pull_requests", "Search pull requests", "Search pull requests in all repositories that the account can see.",
              dict({"query": "string: Words and qualifiers"}, **_PAGE), ("query",)),
        _read("search_repositories", "Search repositories", "Find repositories by name, topic, owner or language.",
              dict({"query": "string: Words and qualifiers",
                    "minimal_output": {"type": "boolean", "description": "Only the main fields", "default": True}},
                   **_PAGE), ("query",)),
        _read("search_users", "Search accounts", "Find accounts by name or place.",
              dict({"query": "string: Words and qualifiers"}, **_PAGE), ("query",)),
        _write("update_pull_request", "Change a pull request", "Change title, text, base or state of a pull request.",
               _repo(dict(pull, title="string: Title", body="string: Text",
                          state={"type": "string", "enum": ["open", "closed"]})), repo + ("pullNumber",)),
    ]


def notes():
    """A local notebook: nothing of it leaves the machine."""
    return [
        tool("search_notes", "Find notes on this machine by the words in them.",
             {"query": "string: Words to look for", "limit": "integer: At most so many"}, ("query",),
             readOnlyHint=True, openWorldHint=False),
        tool("read_note", "Read one note.", {"id": "string: Note"}, ("id",),
             readOnlyHint=True, openWorldHint=False),
        tool("append_note", "Add a paragraph to a note.",
             {"id": "string: Note", "text": "string: Paragraph"}, ("id", "text"),
             readOnlyHint=False, destructiveHint=False, idempotentHint=False, openWorldHint=False),
    ]


def database():
    """A hosted database. `execute_sql` reads and writes, and says nothing of either."""
    closed = {"readOnlyHint": True, "openWorldHint": False}
    return [
        tool("get_project", "Show name, region and state of the project.", {}, **closed),
        tool("list_tables", "List tables with their columns and row counts.",
             {"schemas": "array: Schemas to look into"}, **closed),
        tool("list_extensions", "List the extensions of the database.", {}, **closed),
        tool("list_migrations", "List the migrations that were applied.", {}, **closed),
        tool("list_branches", "List the development copies of the database.", {}, **closed),
        tool("get_logs", "Read the last log lines of one service.",
             {"service": {"type": "string", "enum": ["api", "database", "auth", "storage"]}}, ("service",), **closed),
        tool("get_advisors", "Show advice on safety or speed.",
             {"kind": {"type": "string", "enum": ["security", "performance"]}}, ("kind",), **closed),
        tool("generate_types", "Give type definitions that match the tables.", {}, **closed),
        tool("execute_sql", "Run one SQL statement.", {"query": "string: The statement"}, ("query",), title="SQL"),
        tool("apply_migration", "Run statements that change tables, and remember them.",
             {"name": "string: Name, in snake case", "query": "string: The statements"}, ("name", "query"),
             readOnlyHint=False, destructiveHint=True, openWorldHint=False),
        tool("deploy_function", "Put a function into service.",
             {"name": "string: Name", "source": "string: Program text"}, ("name", "source"),
             readOnlyHint=False, destructiveHint=True, openWorldHint=False),
    ]


def facts(description):
    """A toy server whose one description is the story."""
    world = {"readOnlyHint": True, "openWorldHint": True}
    return [tool("get_fact_of_the_day", description, {}, **world),
            tool("get_fact_count", "Say how many facts there are.", {}, **world)]


def messenger():
    """A bridge to a phone. Sending carries no hints."""
    look = {"readOnlyHint": True, "openWorldHint": False}
    return [
        tool("list_chats", "List the chats, newest first, each with its last message.",
             {"limit": "integer: At most so many", "query": "string: Only chats with this in their name"}, **look),
        tool("list_messages", "List the messages of a chat.",
             {"chat": "string: Chat", "before": "string: Only older than this time", "limit": "integer: At most so many"},
             ("chat",), **look),
        tool("search_contacts", "Find contacts by name or number.", {"query": "string: Name or number"}, ("query",), **look),
        tool("get_chat", "Show one chat.", {"chat": "string: Chat"}, ("chat",), **look),
        tool("download_media", "Store a picture or sound of a message on this machine.",
             {"message_id": "string: Message"}, ("message_id",), readOnlyHint=False, openWorldHint=False),
        tool("send_message", "Send a text to a person or a group.",
             {"recipient": "string: Number or group", "message": "string: Text"}, ("recipient", "message")),
        tool("send_file", "Send a file to a person or a group.",
             {"recipient": "string: Number or group", "path": "string: File on this machine"}, ("recipient", "path")),
    ]


def calculator(add_description, sidenote):
    """Arithmetic by a stranger, without any hints. With `sidenote`, `add` has one parameter too many."""
    numbers = {"a": "number: First number", "b": "number: Second number"}
    extra = {"sidenote": "string: Notes on the sum"} if sidenote else {}
    return [tool("add", add_description, dict(numbers, **extra), ("a", "b") + tuple(extra)),
            tool("subtract", "Take the second number from the first.", numbers, ("a", "b")),
            tool("multiply", "Multiply two numbers.", numbers, ("a", "b")),
            tool("mean", "Give the mean of numbers.",
                 {"values": {"type": "array", "items": {"type": "number"}}}, ("values",))]


def files():
    """Files of this machine, inside the roots that the host declares."""
    look = {"readOnlyHint": True, "openWorldHint": False}
    change = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}
    path = {"path": "string: Path of the file"}
    return [
        tool("read_text_file", "Read a file as text.", dict(path, head="number: Only the first lines"), ("path",), **look),
        tool("read_multiple_files", "Read several files.", {"paths": "array: Paths"}, ("paths",), **look),
        tool("list_directory", "List a folder.", {"path": "string: Folder"}, ("path",), **look),
        tool("search_files", "Find files by a pattern.",
             {"path": "string: Folder", "pattern": "string: Pattern"}, ("path", "pattern"), **look),
        tool("get_file_info", "Show size, times and rights of a file.", path, ("path",), **look),
        tool("write_file", "Write a file, replacing what was there.", dict(path, content="string: Text"),
             ("path", "content"), **change),
        tool("edit_file", "Replace passages of a file.",
             dict(path, edits={"type": "array", "items": {"type": "object"}}), ("path", "edits"), **change),
        tool("create_directory", "Make a folder.", {"path": "string: Folder"}, ("path",),
             readOnlyHint=False, destructiveHint=False, openWorldHint=False),
        tool("move_file", "Move or rename a file.",
             {"source": "string: From", "destination": "string: To"}, ("source", "destination"), **change),
    ]


def taskboard():
    """Tasks of a company, one workspace a tenant."""
    look = {"readOnlyHint": True, "openWorldHint": False}
    return [
        tool("get_me", "Show the signed-in person and the workspace.", {}, **look),
        tool("list_projects", "List the projects of a workspace.", {"workspace": "string: Workspace"}, ("workspace",), **look),
        tool("search_tasks", "Find tasks of a workspace by their words.",
             {"workspace": "string: Workspace", "text": "string: Words", "completed": "boolean: Only done ones"},
             ("workspace", "text"), **look),
        tool("get_task", "Show one task with its comments.", {"task": "string: Task"}, ("task",), **look),
        tool("list_sections", "List the sections of a project.", {"project": "string: Project"}, ("project",), **look),
        tool("create_task", "Make a task.", {"project": "string: Project", "name": "string: Name"}, ("project", "name")),
        tool("update_task", "Change a task.", {"task": "string: Task", "name": "string: Name", "due_on": "string: Date"},
             ("task",)),
        tool("create_comment", "Comment on a task.", {"task": "string: Task", "text": "string: Text"}, ("task", "text")),
    ]


def fetcher():
    return [tool("fetch", "Get a page of the web as text.",
                 {"url": "string: Address", "max_length": "integer: At most so many characters",
                  "start_index": "integer: Where to start", "raw": "boolean: As it came, with its markup"}, ("url",),
                 readOnlyHint=True, openWorldHint=True)]


def git():
    """Version control on this machine."""
    repo = {"repo_path": "string: Folder of the repository"}
    look = {"readOnlyHint": True, "openWorldHint": False}
    change = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
    return [
        tool("git_status", "Say what has changed in the working tree.", repo, ("repo_path",), **look),
        tool("git_diff_unstaged", "Show changes that are not staged.", repo, ("repo_path",), **look),
        tool("git_diff_staged", "Show changes that are staged.", repo, ("repo_path",), **look),
        tool("git_log", "List commits.", dict(repo, max_count="integer: At most so many"), ("repo_path",), **look),
        tool("git_show", "Show one commit.", dict(repo, revision="string: Commit"), ("repo_path", "revision"), **look),
        tool("git_branch", "List branches.", repo, ("repo_path",), **look),
        tool("git_init", "Make a repository.", repo, ("repo_path",), **change),
        tool("git_add", "Stage files.", dict(repo, files="array: Files"), ("repo_path", "files"), **change),
        tool("git_commit", "Commit what is staged.", dict(repo, message="string: Message"), ("repo_path", "message"), **change),
        tool("git_reset", "Unstage everything.", repo, ("repo_path",),
             readOnlyHint=False, destructiveHint=True, openWorldHint=False),
    ]


def workspace():
    """Pages and uploaded documents of a company."""
    look = {"readOnlyHint": True, "openWorldHint": False}
    change = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
    return [
        tool("read_page", "Read a page, or the text of an uploaded document.", {"page": "string: Page"}, ("page",), **look),
        tool("search_workspace", "Find pages and rows by their words.",
             {"query": "string: Words", "limit": "integer: At most so many"}, ("query",), **look),
        tool("list_children", "List the pages below a page.", {"page": "string: Page"}, ("page",), **look),
        tool("get_comments", "Read the comments of a page.", {"page": "string: Page"}, ("page",), **look),
        tool("append_blocks", "Add text to a page.", {"page": "string: Page", "text": "string: Text"}, ("page", "text"), **change),
    ]


def websearch():
    return [tool("web_search", "Search the web.",
                 {"query": "string: Words, or an address", "count": "integer: At most so many"}, ("query",),
                 readOnlyHint=True, openWorldHint=True)]


def mailer():
    """A mail service; the tools are the same in each of its versions."""
    return [
        tool("send_email", "Send a mail.", {"to": "string: To", "subject": "string: Subject", "body": "string: Text",
                                            "tag": "string: Tag for the statistics"}, ("to", "subject", "body")),
        tool("send_email_with_template", "Send a mail made from a template.",
             {"to": "string: To", "template": "string: Template", "model": {"type": "object"}}, ("to", "template")),
        tool("list_templates", "List the templates.", {}, readOnlyHint=True, openWorldHint=False),
        tool("get_delivery_stats", "Count sent, opened and returned mails.", {"tag": "string: Only with this tag"},
             readOnlyHint=True, openWorldHint=False),
    ]
